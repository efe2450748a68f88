// Server-Sent Events out of chunks of text, wherever the chunks were cut. Never touches the network or the page.

/** @typedef {{ event: string, id: string, data: string }} Frame */

/**
 * A parser that keeps what is unfinished between calls. Comments and `retry` are passed over; a frame without data
 * is no frame.
 * @returns {(chunk: string) => Frame[]} frames that this chunk completed
 */
export function frameParser() {
  let rest = ''
  let event = ''
  let id = ''
  /** @type {string[]} */
  let data = []

  return (chunk) => {
    /** @type {Frame[]} */
    const frames = []
    rest += chunk
    // A carriage return at the end may be half of CRLF: it waits for the next chunk.
    const held = rest.endsWith('\r') ? '\r' : ''
    const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + held
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) frames.push({ event: event || 'message', id, data: data.join('\n') })
        event = ''
        data = []
        continue
      }
      const colon = line.indexOf(':')
      const field = colon < 0 ? line : line.slice(0, colon)
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
      if (field === 'data') data.push(value)
      else if (field === 'event') event = value
      else if (field === 'id') id = value
    }
    return frames
  }
}
