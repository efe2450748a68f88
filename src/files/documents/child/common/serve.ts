// The server of an isolate that reads documents. A POST with the bytes of a document returns its text, or a message that says why it
// cannot be read. The isolate has no network access and no bindings, and keeps nothing of a document.

import { DOCUMENT_SILENT_MS } from './limits.ts'
import { OutOfTime, TimeBudget, Refused } from './pace.ts'

import type { DocumentHints, DocumentText } from '../../document.ts'

/** The readers by kind of document. */
export type DocumentReaders = Readonly<
  Record<string, (bytes: Uint8Array, pace: TimeBudget, hints: DocumentHints) => Promise<DocumentText>>
>

/** The request being served, and when it last made progress. Only one is served at a time, because two could exceed the memory. */
let reading: { readonly token: object; seen: number } | null = null

async function myTurn(): Promise<TimeBudget> {
  while (reading !== null && performance.now() - reading.seen < DOCUMENT_SILENT_MS)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const mine = { token: {}, seen: performance.now() }
  reading = mine
  // If a caller disconnects, its request is cancelled without running `finally`. Only the lack of progress shows this.
  return new TimeBudget(() => {
    mine.seen = performance.now()
    return reading === mine
  })
}

async function answer(
  request: Request,
  readers: DocumentReaders,
): Promise<DocumentText | { readonly refused: string }> {
  const url = new URL(request.url)
  const read = readers[url.pathname.slice(1)]
  if (!read) return { refused: 'Documents of this kind cannot be read.' }
  const pace = await myTurn()
  const mine = reading
  try {
    const bytes = new Uint8Array(await request.arrayBuffer())
    await pace.turn()
    return await read(bytes, pace, hintsOf(url))
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message }
    if (error instanceof OutOfTime)
      return {
        refused: 'The document takes too long to read. Ask the user for a part of it, or for its text.',
      }
    return {
      refused: `The document is damaged and cannot be read (${short(error)}). Ask the user to send it again.`,
    }
  } finally {
    if (reading === mine) reading = null
  }
}

function hintsOf({ searchParams }: URL): DocumentHints {
  const [base, charset] = [searchParams.get('base'), searchParams.get('charset')]
  return { ...(base === null ? {} : { base }), ...(charset === null ? {} : { charset }) }
}

function short(error: unknown): string {
  return String(error instanceof Error ? error.message : error).slice(0, 200)
}

export function serve(readers: DocumentReaders): ExportedHandler {
  return { fetch: async (request) => Response.json(await answer(request, readers)) }
}
