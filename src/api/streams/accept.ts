// What a client would rather read: one JSON answer or a stream of events.

/** True when the Accept header weighs JSON over an event stream; of equal weight, the one named more exactly wins. */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf)
  const json = weigh(ranges, 'application/json')
  const events = weigh(ranges, 'text/event-stream')
  if (json.quality === 0) return false
  return json.quality === events.quality ? json.exact > events.exact : json.quality > events.quality
}

interface Range {
  readonly type: string
  readonly quality: number
}

function rangeOf(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
  const number = quality === undefined ? 1 : Number(quality)
  return { type, quality: number >= 0 && number <= 1 ? number : 0 }
}

/** The most exact range that covers the type decides; `exact`: 2 by its name, 1 by its family, 0 by the wildcard. */
function weigh(ranges: readonly Range[], type: string): { quality: number; exact: number } {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  for (let exact = 2; exact >= 0; exact--) {
    const range = ranges.find((one) => one.type === names[exact])
    if (range) return { quality: range.quality, exact }
  }
  return { quality: 0, exact: -1 }
}
