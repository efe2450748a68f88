// Formats a number with its noun.

/** Returns, for example, `1 skill` or `3,000 skills`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? singular : plural}`
}
