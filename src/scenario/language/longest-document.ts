/** Characters that a scenario document may have (contract §9). In a file of its own, so that nobody loads YAML to say it. */
export const longestDocument = 256 * 1024;
