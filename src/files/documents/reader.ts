// Sends documents to isolates that read them, without network or bindings and with limited time. Never parses itself:
// parsers are large and their input is hostile, so neither belongs in the Worker.

import { DOCUMENT_CPU_MS, DOCUMENT_MAX_BYTES, DOCUMENT_WAIT_MS } from './limits.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { DocumentHints, DocumentKind, DocumentReader, DocumentText } from './document.ts'

/** Where the build writes the bundles (scripts/assets/). The manifest names each by its digest. */
const MANIFEST = 'https://assets.local/runtimes/manifest.json'
const MAIN = 'documents.js'
/**
 * Names for the isolate of a bundle. An isolate that failed to start, or broke, stays broken under its name, so the
 * next read uses another name.
 */
const ISOLATES = 4

/** The bundle that reads a kind. Parsers that start slowly have their own. */
const BUNDLE: Readonly<Record<DocumentKind, string>> = {
  pdf: 'pdf',
  html: 'html',
  docx: 'documents',
  xlsx: 'documents',
  csv: 'documents',
}

const NOT_BUILT =
  'Documents cannot be read here: this server was started without its file dist/assets/runtimes/manifest.json. Its operator can fix that with `node scripts/assets.ts`. Ask for the content as text.'

/**
 * A reader over the static files with the parsers. `assets` is null when they are missing: each read then fails with a
 * message. Three isolates (PDFs, web pages, other documents) serve all callers, named by the digest of their code and
 * by `index`. They keep nothing of a document and are reused.
 */
export function documentReader(loader: WorkerLoader, assets: Fetcher | null, index = 0): DocumentReader {
  let manifest: Manifest | null = null
  let faults = 0
  return {
    async read(kind, bytes, { signal }, hints = {}) {
      if (assets === null) return err(NOT_BUILT)
      if (bytes.length > DOCUMENT_MAX_BYTES)
        return err(
          `The file has ${bytes.length} bytes; a document may have ${DOCUMENT_MAX_BYTES}. Ask for a part of it, or for its text.`,
        )
      try {
        manifest ??= await readManifest(assets)
        const path = manifest?.[BUNDLE[kind]]
        if (path === undefined) return err(NOT_BUILT)
        return await ask(
          isolate(loader, assets, path, (index + faults) % ISOLATES),
          kind,
          bytes,
          signal,
          hints,
        )
      } catch (error) {
        if (signal.aborted) return err('Reading the document was cancelled.')
        const late = error instanceof DOMException && error.name === 'TimeoutError'
        if (!late) faults += 1
        return err(
          late
            ? `The document was not read within ${DOCUMENT_WAIT_MS / 1_000} s: it is too large or too complex, or many others are being read. Try it once more, or ask for a part of it.`
            : 'Reading the document exceeded its limits, or the reader failed. Try it once more. If it fails again, ask for its text.',
        )
      }
    },
  }
}

/** Bundle → its path among the static files. */
type Manifest = Readonly<Record<string, string | undefined>>

async function readManifest(assets: Fetcher): Promise<Manifest | null> {
  const response = await assets.fetch(MANIFEST)
  // The build writes it (scripts/assets/build.ts), and it is served from our own files.
  return response.ok ? response.json<Manifest>() : null
}

/** The isolate of the bundle at `path`, one of ISOLATES equal ones. */
function isolate(loader: WorkerLoader, assets: Fetcher, path: string, index: number): Fetcher {
  const worker = loader.get(index === 0 ? path : `${path}#${index}`, async () => {
    const code = await assets.fetch(`https://assets.local${path}`)
    if (!code.ok) throw new Error(`${path} is not among the static files (${code.status})`)
    return {
      compatibilityDate: '2026-11-01',
      mainModule: MAIN,
      modules: { [MAIN]: await code.text() },
      globalOutbound: null,
      limits: { cpuMs: DOCUMENT_CPU_MS },
    }
  })
  return worker.getEntrypoint()
}

async function ask(
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
    signal: AbortSignal.any([signal, AbortSignal.timeout(DOCUMENT_WAIT_MS)]),
  })
  return answer(await response.json())
}

/** The answer comes from an isolate that handles hostile bytes, so every field is checked. */
function answer(reply: unknown): Result<DocumentText, string> {
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
  throw new Error('The isolate that reads documents gave an answer of unknown shape.')
}

function isAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//.test(link)
}
