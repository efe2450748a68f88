// A message from standard input: all of it, up to what a message may have. Waits for its end.

import { MESSAGE_MAX_BYTES } from '../../src/limits/requests.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'

/** The text without the line break at its end; '' where nothing came. Fails in words where it is too much, or no text. */
export async function readStdin(input: AsyncIterable<Uint8Array>): Promise<Result<string, string>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of input) {
    bytes += part.length
    if (bytes > MESSAGE_MAX_BYTES)
      return err(
        `Standard input has more than ${MESSAGE_MAX_BYTES.toLocaleString('en-US')} bytes. Write it to a file and send that with --file.`,
      )
    parts.push(part)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
    return ok(text.replace(/\r?\n$/, ''))
  } catch {
    return err('Standard input is no UTF-8 text. Write it to a file and send that with --file.')
  }
}
