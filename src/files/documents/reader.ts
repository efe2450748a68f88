// Sends documents to isolates that read them, without network access or bindings and with limited time. The Worker never parses
// documents, because parsers are large and their input may be hostile.

import { DOCUMENT_CPU_MAX_MS, DOCUMENT_MAX_BYTES, DOCUMENT_TIMEOUT_MS } from './limits.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { DocumentHints, DocumentKind, DocumentReader, DocumentText } from './document.ts'

/** The address of the manifest, which the build writes (scripts/assets/). It contains the path of each bundle. */
const MANIFEST = 'https://assets.local/runtimes/manifest.json'
const MAIN = 'documents.js'
/**
 * Number of names for the isolate of a bundle. An isolate that failed remains broken under its name, so the next read uses another
 * name.
 */
const ISOLATE_NAMES = 4

/** The bundle that reads each kind. Parsers that start slowly have separate bundles. */
const BUNDLE_OF_KIND: Readonly<Record<DocumentKind, string>> = {
  pdf: 'pdf',
  html: 'html',
  docx: 'documents',
  xlsx: 'documents',
  csv: 'documents',
}

const NOT_BUILT =
  'Documents cannot be read here: this server was started without the file dist/assets/runtimes/manifest.json. Its operator can fix this with `node scripts/assets.ts`. Ask the user for the content as text.'

/**
 * Creates a reader that loads the parsers from static files. `assets` is null if these are missing; each read then fails with a
 * message. One isolate each for PDFs, web pages and other documents serves all callers. It is identified by the path of its code and
 * `index`, keeps nothing of a document, and is reused.
 */
export function documentReader(loader: WorkerLoader, assets: Fetcher | null, index = 0): DocumentReader {
  let manifest: Manifest | null = null
  let faults = 0
  return {
    async read(kind, bytes, { signal }, hints = {}) {
      if (assets === null) return err(NOT_BUILT)
      if (bytes.length > DOCUMENT_MAX_BYTES)
        return err(
          `The file has ${bytes.length} bytes; the limit for a document is ${DOCUMENT_MAX_BYTES}. Ask the user for a part of it, or for its text.`,
        )
      try {
        manifest ??= await readManifest(assets)
        const path = manifest?.[BUNDLE_OF_KIND[kind]]
        if (path === undefined) return err(NOT_BUILT)
        return await requestText(
          readerIsolate(loader, assets, path, (index + faults) % ISOLATE_NAMES),
          kind,
          bytes,
          signal,
          hints,
        )
      } catch (error) {
        if (signal.aborted) return err('Reading the document was cancelled.')
        const timedOut = error instanceof DOMException && error.name === 'TimeoutError'
        if (!timedOut) faults += 1
        return err(
          timedOut
            ? `The document could not be read within ${DOCUMENT_TIMEOUT_MS / 1_000} s: it is too large or too complex, or many others are being read. Try once more, or ask the user for a part of it.`
            : 'Reading the document exceeded its limits, or the reader failed. Try once more. If it fails again, ask the user for its text.',
        )
      }
    },
  }
}

/** Maps each bundle to its path among the static files. */
type Manifest = Readonly<Record<string, string | undefined>>

async function readManifest(assets: Fetcher): Promise<Manifest | null> {
  const response = await assets.fetch(MANIFEST)
  // The file is trusted, because the build writes it (scripts/assets/build.ts).
  return response.ok ? response.json<Manifest>() : null
}

/** The isolate of the bundle at `path`, under one of its ISOLATE_NAMES names. */
function readerIsolate(loader: WorkerLoader, assets: Fetcher, path: string, index: number): Fetcher {
  const worker = loader.get(index === 0 ? path : `${path}#${index}`, async () => {
    const code = await assets.fetch(`https://assets.local${path}`)
    if (!code.ok) throw new Error(`${path} is not among the static files (${code.status})`)
    return {
      compatibilityDate: '2026-11-01',
      mainModule: MAIN,
      modules: { [MAIN]: await code.text() },
      globalOutbound: null,
      limits: { cpuMs: DOCUMENT_CPU_MAX_MS },
    }
  })
  return worker.getEntrypoint()
}

async function requestText(
  reader: Fetcher,
  kind: DocumentKind,
  bytes: Uint8Array,
  signal: AbortSignal,
  { base, charset }: DocumentHints,
): Promise<Result<DocumentText, string>> {
  const url = new URL(`https://documents.local/${kind}`)
  if (base !== undefined) url.searchParams.set('base', base)
  if (charset !== undefined) url.searchParams.set('charset', charset)
  const response = await reader.fetch(url.href, {
    method: 'POST',
    body: bytes,
    signal: AbortSignal.any([signal, AbortSignal.timeout(DOCUMENT_TIMEOUT_MS)]),
  })
  return parseResponse(await response.json())
}

/** The response comes from an isolate that handles hostile bytes, so every field is checked. */
function parseResponse(reply: unknown): Result<DocumentText, string> {
  if (typeof reply === 'object' && reply !== null) {
    if ('refused' in reply && typeof reply.refused === 'string') return err(reply.refused)
    if (
      'text' in reply &&
      typeof reply.text === 'string' &&
      'parts' in reply &&
      typeof reply.parts === 'number'
    )
      return ok({
        text: reply.text,
        parts: reply.parts,
        cut: 'cut' in reply && typeof reply.cut === 'string' ? reply.cut : null,
        ...('links' in reply && Array.isArray(reply.links) ? { links: reply.links.filter(isAddress) } : {}),
      })
  }
  throw new Error('The isolate that reads documents returned an invalid response.')
}

function isAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//.test(link)
}
