/** A count with its noun: "1 row", "2 rows", "3 leaves". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
