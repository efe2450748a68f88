// Reads a message from standard input to its end, up to the limit of a message.

import { MESSAGE_MAX_BYTES } from '../../src/limits/requests.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'

/** The text without its final line break; '' if there is none. Fails with a message if it is too long or not text. */
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
