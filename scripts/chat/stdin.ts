// Reads a message from standard input, to its end but not beyond the size limit of a message.

import { MESSAGE_MAX_BYTES } from '../../src/limits/requests.ts'
import { err, ok, type Result } from '../../src/lib/result.ts'

/** The text without its final line break. Fails with a message if it is too long or not UTF-8. */
export async function readStdin(input: AsyncIterable<Uint8Array>): Promise<Result<string, string>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of input) {
    bytes += part.length
    if (bytes > MESSAGE_MAX_BYTES)
      return err(
        `Standard input has more than ${MESSAGE_MAX_BYTES.toLocaleString('en-US')} bytes. Write it to a file and send the file with --file.`,
      )
    parts.push(part)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))
    return ok(text.replace(/\r?\n$/, ''))
  } catch {
    return err('Standard input is not UTF-8 text. Write it to a file and send the file with --file.')
  }
}
