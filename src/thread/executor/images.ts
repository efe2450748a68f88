// Images among the thread's files, as the request to the model holds them: with their bytes. The transcript names the
// object, which never changes, so every request brings the same ones.

import { isFileImage, type ApiMessage, type Block, type FileImageBlock } from '../../agent/message.ts'
import { base64 } from '../../lib/bytes.ts'

/** What the model gets in place of one whose bytes are lost. */
const LOST: Block = { type: 'text', text: '[This image cannot be read any more.]' }

function holds({ content }: ApiMessage): boolean {
  return content.some(
    (block) =>
      block.type === 'tool_result' && Array.isArray(block['content']) && block['content'].some(isFileImage),
  )
}

/** Blocks with their bytes, by object: a run reads each once. */
export type ImageCache = Map<number, Promise<Block>>

/** The very same list where there is none. Rejects when the store fails. */
export async function withImages(
  messages: readonly ApiMessage[],
  bytesOf: (object: number) => Promise<Uint8Array | null>,
  cache: ImageCache,
): Promise<readonly ApiMessage[]> {
  const read = async ({ source }: FileImageBlock): Promise<Block> => {
    const bytes = await bytesOf(source.object)
    if (!bytes) return LOST
    return { type: 'image', source: { type: 'base64', media_type: source.media_type, data: base64(bytes) } }
  }
  const filled = async (block: Block): Promise<Block> => {
    if (!isFileImage(block)) return block
    const known = cache.get(block.source.object) ?? read(block)
    cache.set(block.source.object, known)
    // A store that was away may be back at the next try.
    known.catch(() => cache.delete(block.source.object))
    return known
  }
  return Promise.all(
    messages.map(async (message) => {
      if (!holds(message)) return message
      const content = await Promise.all(
        message.content.map(async (block) => {
          const inside = block['content']
          // Of a result's content the type is ours.
          if (!Array.isArray(inside)) return block
          return { ...block, content: await Promise.all((inside as Block[]).map(filled)) }
        }),
      )
      return { ...message, content }
    }),
  )
}

/** Whether any of them is among the files. */
export function hasFileImages(messages: readonly ApiMessage[]): boolean {
  return messages.some(holds)
}
