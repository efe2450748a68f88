// Loads images from the thread's files into a request to the model. The transcript refers to the stored
// object, which never changes, so each request contains the same bytes.

import { isFileImage, type ApiMessage, type Block, type FileImageBlock } from '../../agent/message.ts'
import { base64 } from '../../lib/bytes.ts'

/** Shown to the model in place of an image whose bytes are lost. */
const UNREADABLE_IMAGE: Block = { type: 'text', text: '[This image can no longer be read.]' }

function hasImages({ content }: ApiMessage): boolean {
  return content.some(
    (block) =>
      block.type === 'tool_result' && Array.isArray(block['content']) && block['content'].some(isFileImage),
  )
}

/** Image blocks with their bytes, by object ID, so that a run reads each image once. */
export type ImageCache = Map<number, Promise<Block>>

/** Returns the same list if it contains no images from files. Rejects if the store fails. */
export async function withImages(
  messages: readonly ApiMessage[],
  bytesOf: (object: number) => Promise<Uint8Array | null>,
  cache: ImageCache,
): Promise<readonly ApiMessage[]> {
  const read = async ({ source }: FileImageBlock): Promise<Block> => {
    const bytes = await bytesOf(source.object)
    if (!bytes) return UNREADABLE_IMAGE
    return { type: 'image', source: { type: 'base64', media_type: source.media_type, data: base64(bytes) } }
  }
  const withBytes = async (block: Block): Promise<Block> => {
    if (!isFileImage(block)) return block
    const imageBlock = cache.get(block.source.object) ?? read(block)
    cache.set(block.source.object, imageBlock)
    // A failure is not cached, because the store may be available at the next attempt.
    imageBlock.catch(() => cache.delete(block.source.object))
    return imageBlock
  }
  return Promise.all(
    messages.map(async (message) => {
      if (!hasImages(message)) return message
      const content = await Promise.all(
        message.content.map(async (block) => {
          const resultContent = block['content']
          // The cast is safe: Satchel itself writes the content of a result.
          if (!Array.isArray(resultContent)) return block
          return { ...block, content: await Promise.all((resultContent as Block[]).map(withBytes)) }
        }),
      )
      return { ...message, content }
    }),
  )
}

/** Whether any message contains an image from the thread's files. */
export function hasFileImages(messages: readonly ApiMessage[]): boolean {
  return messages.some(hasImages)
}
