// What the panel shows of a file: as which kind, and its bytes, bounded. Whatever a file says it is, nothing in it is run.

import type { Client } from '../../client/client.ts'
import type { ClientFailure } from '../../client/types.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { PREVIEW_BYTES } from '../limits.ts'
import { endingOf, nameOf, pictureType } from '../run/files.ts'

export type PreviewKind = 'picture' | 'table' | 'prose' | 'text'

/** Ending → language of the highlighter; '': text without one. */
const TEXTS: Readonly<Record<string, string>> = {
  txt: '',
  log: '',
  ini: 'ini',
  toml: 'ini',
  env: '',
  json: 'json',
  jsonl: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  xml: 'xml',
  html: 'xml',
  htm: 'xml',
  css: 'css',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  rb: 'ruby',
  go: 'go',
  rs: 'rust',
  java: 'java',
  kt: 'kotlin',
  cs: 'csharp',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  swift: 'swift',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  sql: 'sql',
  diff: 'diff',
  patch: 'diff',
  dockerfile: 'dockerfile',
}
/** Files whose names say what they are. */
const NAMES: Readonly<Record<string, string>> = { dockerfile: 'dockerfile', makefile: 'makefile' }

/** How a file is shown; null: only a program of its own can show it. */
export function previewKind(path: string): PreviewKind | null {
  const ending = endingOf(path)
  if (pictureType(path)) return 'picture'
  if (ending === 'csv' || ending === 'tsv') return 'table'
  if (ending === 'md' || ending === 'markdown') return 'prose'
  return ending in TEXTS || nameOf(path).toLowerCase() in NAMES ? 'text' : null
}

export function languageOf(path: string): string {
  return TEXTS[endingOf(path)] ?? NAMES[nameOf(path).toLowerCase()] ?? ''
}

/** Text of a file, at most PREVIEW_BYTES of it; `cut`: there is more. */
export interface TextRead {
  readonly text: string
  readonly cut: boolean
}

/** The beginning of a file as text; null: its bytes are none. */
export async function readText(
  client: Client,
  threadId: string,
  path: string,
): Promise<Result<TextRead | null, ClientFailure>> {
  const response = await client.file(threadId, path)
  if (!response.ok) return response
  const body = response.value.body
  if (!body) return ok({ text: '', cut: false })
  const reader = body.getReader()
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    while (bytes <= PREVIEW_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      parts.push(value)
      bytes += value.byteLength
    }
  } catch {
    return err({ kind: 'unreachable', detail: 'The connection was lost.' })
  }
  await reader.cancel().catch(() => {}) // it may be over already
  const all = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  if (all.subarray(0, 4_096).includes(0)) return ok(null)
  // A letter that is cut in two ends as nothing.
  const decoder = new TextDecoder()
  return ok({ text: decoder.decode(all.subarray(0, PREVIEW_BYTES), { stream: true }), cut: bytes > PREVIEW_BYTES })
}
