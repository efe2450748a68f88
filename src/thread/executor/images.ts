// Loads the images in the thread's files into a request to the model. The transcript names the stored object, which
// never changes, so each request contains the same bytes.

import { isFileImage, type ApiMessage, type Block, type FileImageBlock } from '../../agent/message.ts'
import { base64 } from '../../lib/bytes.ts'

/** Replaces an image whose bytes are lost, for the model. */
const LOST: Block = { type: 'text', text: '[This image can no longer be read.]' }

function holds({ content }: ApiMessage): boolean {
  return content.some(
    (block) =>
      block.type === 'tool_result' && Array.isArray(block['content']) && block['content'].some(isFileImage),
  )
}

/** Image blocks with their bytes, by object: a run reads each once. */
export type ImageCache = Map<number, Promise<Block>>

/** Returns the same list if it has no such images. Rejects when the store fails. */
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
    // An unavailable store may be back at the next try.
    known.catch(() => cache.delete(block.source.object))
    return known
  }
  return Promise.all(
    messages.map(async (message) => {
      if (!holds(message)) return message
      const content = await Promise.all(
        message.content.map(async (block) => {
          const inside = block['content']
          // The content of a result is written by Satchel, so its type is known.
          if (!Array.isArray(inside)) return block
          return { ...block, content: await Promise.all((inside as Block[]).map(filled)) }
        }),
      )
      return { ...message, content }
    }),
  )
}

/** Whether any of them is stored in the thread's files. */
export function hasFileImages(messages: readonly ApiMessage[]): boolean {
  return messages.some(holds)
}
