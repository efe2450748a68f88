// The server of an isolate that reads documents. A POST with the bytes of a document returns its text, or a message that says why it
// cannot be read. The isolate has no network access and no bindings, and keeps nothing of a document.

import { DOCUMENT_STALLED_AFTER_MS } from './limits.ts'
import { OutOfTime, TimeBudget, DocumentRefused } from './pace.ts'

import type { DocumentHints, DocumentText } from '../../document.ts'

/** The readers by kind of document. */
export type DocumentReaders = Readonly<
  Record<string, (bytes: Uint8Array, pace: TimeBudget, hints: DocumentHints) => Promise<DocumentText>>
>

/** The request being served, and when it last made progress. Only one is served at a time, because two could exceed the memory. */
let currentRequest: { readonly token: object; lastProgressAt: number } | null = null

async function startWhenIdle(): Promise<TimeBudget> {
  while (
    currentRequest !== null &&
    performance.now() - currentRequest.lastProgressAt < DOCUMENT_STALLED_AFTER_MS
  )
    await new Promise((resolve) => setTimeout(resolve, 10))
  const mine = { token: {}, lastProgressAt: performance.now() }
  currentRequest = mine
  // If a caller disconnects, its request is cancelled without running `finally`. Only the lack of progress shows this.
  return new TimeBudget(() => {
    mine.lastProgressAt = performance.now()
    return currentRequest === mine
  })
}

async function answer(
  request: Request,
  readers: DocumentReaders,
): Promise<DocumentText | { readonly refused: string }> {
  const url = new URL(request.url)
  const read = readers[url.pathname.slice(1)]
  if (!read) return { refused: 'Documents of this kind cannot be read.' }
  const pace = await startWhenIdle()
  const mine = currentRequest
  try {
    const bytes = new Uint8Array(await request.arrayBuffer())
    await pace.yieldNow()
    return await read(bytes, pace, hintsOf(url))
  } catch (error) {
    if (error instanceof DocumentRefused) return { refused: error.message }
    if (error instanceof OutOfTime)
      return {
        refused: 'The document takes too long to read. Ask the user for a part of it, or for its text.',
      }
    return {
      refused: `The document is damaged and cannot be read (${shortMessage(error)}). Ask the user to send it again.`,
    }
  } finally {
    if (currentRequest === mine) currentRequest = null
  }
}

function hintsOf({ searchParams }: URL): DocumentHints {
  const [base, charset] = [searchParams.get('base'), searchParams.get('charset')]
  return { ...(base === null ? {} : { base }), ...(charset === null ? {} : { charset }) }
}

function shortMessage(error: unknown): string {
  return String(error instanceof Error ? error.message : error).slice(0, 200)
}

export function serve(readers: DocumentReaders): ExportedHandler {
  return { fetch: async (request) => Response.json(await answer(request, readers)) }
}
