/** What every stored record has: an id, and its place in the account's one sequence (the cursor of every list, contract §4). */
export interface Row {
  readonly id: string;
  readonly seq: number;
}
