// Has documents read in an isolate of their own, which has no network, no bindings and bounds on its time. Reads none
// itself: the parsers are heavy and what they are fed is hostile, so neither is part of the Worker.

import { DOCUMENT_CPU_MS, DOCUMENT_MAX_BYTES, DOCUMENT_WAIT_MS } from './limits.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { DocumentHints, DocumentKind, DocumentReader, DocumentText } from './document.ts'

/** Where the build put the bundles (scripts/assets/): the manifest names each by its digest. */
const MANIFEST = 'https://assets.local/runtimes/manifest.json'
const MAIN = 'documents.js'
/** An isolate that could not be started, or broke, stays so under its name: the next read asks for another one. */
const ISOLATES = 4

/** The runtime that reads a kind: parsers that take long to start are apart. */
const BUNDLE: Readonly<Record<DocumentKind, string>> = {
  pdf: 'pdf',
  html: 'html',
  docx: 'documents',
  xlsx: 'documents',
  csv: 'documents',
}

const NOT_BUILT =
  'Documents cannot be read here: this server was started without its file dist/assets/runtimes/manifest.json. Whoever runs it can fix that with `node scripts/assets.ts`. Ask for the content as text.'

/**
 * A reader over the static files that hold the parsers. `assets` null: there are none, and each read fails with words.
 * Three isolates, for PDFs, pages and the rest, serve all callers, named by the digest of their code and by `place`: they keep nothing of a
 * document, and are not made anew for each.
 */
export function documentReader(loader: WorkerLoader, assets: Fetcher | null, place = 0): DocumentReader {
  let manifest: Manifest | null = null
  let faults = 0
  return {
    async read(kind, bytes, { signal }, hints = {}) {
      if (assets === null) return err(NOT_BUILT)
      if (bytes.length > DOCUMENT_MAX_BYTES)
        return err(
          `The file has ${bytes.length} bytes; a document is read up to ${DOCUMENT_MAX_BYTES}. Ask for a part of it, or for its text.`,
        )
      try {
        manifest ??= await readManifest(assets)
        const path = manifest?.[BUNDLE[kind]]
        if (path === undefined) return err(NOT_BUILT)
        return await ask(
          isolate(loader, assets, path, (place + faults) % ISOLATES),
          kind,
          bytes,
          signal,
          hints,
        )
      } catch (error) {
        if (signal.aborted) return err('Reading the document was called off.')
        const late = error instanceof DOMException && error.name === 'TimeoutError'
        if (!late) faults += 1
        return err(
          late
            ? `The document was not read within ${DOCUMENT_WAIT_MS / 1_000} s: it is too large or too intricate, or many others are being read. Try it once more, or ask for a part of it.`
            : 'Reading the document took more than one is given, or met a fault of the reader. Try it once more; if it fails again, ask for its text.',
        )
      }
    },
  }
}

/** Runtime → where it lies among the static files. */
type Manifest = Readonly<Record<string, string | undefined>>

async function readManifest(assets: Fetcher): Promise<Manifest | null> {
  const response = await assets.fetch(MANIFEST)
  // Written by the build (scripts/assets/build.ts), served from our own files.
  return response.ok ? response.json<Manifest>() : null
}

/** The isolate of the runtime at `path`, one of ISOLATES that are alike. */
function isolate(loader: WorkerLoader, assets: Fetcher, path: string, place: number): Fetcher {
  const worker = loader.get(place === 0 ? path : `${path}#${place}`, async () => {
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

/** It was made next to hostile bytes: taken field by field. */
function answer(said: unknown): Result<DocumentText, string> {
  if (typeof said === 'object' && said !== null) {
    if ('refused' in said && typeof said.refused === 'string') return err(said.refused)
    if ('text' in said && typeof said.text === 'string' && 'parts' in said && typeof said.parts === 'number')
      return ok({
        text: said.text,
        parts: said.parts,
        cut: 'cut' in said && typeof said.cut === 'string' ? said.cut : null,
        ...('links' in said && Array.isArray(said.links) ? { links: said.links.filter(isAddress) } : {}),
      })
  }
  throw new Error('The isolate that reads documents gave an answer of no known shape.')
}

function isAddress(link: unknown): link is string {
  return typeof link === 'string' && /^https?:\/\//.test(link)
}
