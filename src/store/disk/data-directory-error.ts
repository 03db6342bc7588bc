/** What is named as data directory is none that the sandbox can have: a wrong setting, told as one (contract §8). */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';
}
