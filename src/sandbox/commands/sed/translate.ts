// The command `y`: replaces each character with another.

export function translated(text: string, characters: ReadonlyMap<string, string> | null): string {
  let result = ''
  for (const char of text) result += characters?.get(char) ?? char
  return result
}
