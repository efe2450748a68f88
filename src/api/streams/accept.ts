// Decides whether a client prefers a single JSON response or an event stream.

/** Whether the Accept header prefers JSON to an event stream. If their quality is equal, the more specific range wins. */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf)
  const json = preferenceFor(ranges, 'application/json')
  const events = preferenceFor(ranges, 'text/event-stream')
  if (json.quality === 0) return false
  return json.quality === events.quality
    ? json.specificity > events.specificity
    : json.quality > events.quality
}

interface Range {
  readonly type: string
  readonly quality: number
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const number = quality === undefined ? 1 : Number(quality)
  return { type, quality: number >= 0 && number <= 1 ? number : 0 }
}

/**
 * The quality of the most specific range that matches. `specificity` is 2 for the exact type, 1 for its
 * family and 0 for the wildcard.
 */
function preferenceFor(ranges: readonly Range[], type: string): { quality: number; specificity: number } {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  for (let specificity = 2; specificity >= 0; specificity--) {
    const range = ranges.find((candidate) => candidate.type === names[specificity])
    if (range) return { quality: range.quality, specificity }
  }
  return { quality: 0, specificity: -1 }
}
