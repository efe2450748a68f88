// Joins two texts as paragraphs. Pure.

export function joinParagraphs(first: string, second: string): string {
  return [first, second].filter((part) => part.trim() !== '').join('\n\n')
}
