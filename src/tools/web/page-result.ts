// Turns a text from the web into the result of a call. A short text is returned whole. A long text is stored as a file;
// the result contains its outline, and either the sections that match the prompt or, if none match, its beginning.

import type { FileChange } from '../../agent/tool.ts'
import type { FileAccess } from '../../files/access.ts'
import { fullPath } from '../../files/path.ts'
import { sha256Hex, utf8 } from '../../lib/bytes.ts'
import { countLines } from '../../lib/text.ts'
import {
  WEB_BEGINNING_MAX_CHARS,
  WEB_HEADING_MAX_CHARS,
  WEB_OUTLINE_MAX_LINES,
  WEB_EXCERPT_MAX_CHARS,
  WEB_SHOWN_MAX_CHARS,
} from './limits.ts'
import type { TextPage } from './page.ts'
import { matchingSections, headingsOf, sectionsOf } from './sections.ts'

export interface PageResult {
  /** Untrusted content, with lines from Satchel in brackets. */
  readonly text: string
  readonly changes: readonly FileChange[]
}

/** `prompt` is what the model wants to know. If a long text cannot be stored, the result says so. */
export async function makePageResult(
  url: string,
  page: TextPage,
  prompt: string | undefined,
  files: FileAccess,
): Promise<PageResult> {
  const { text, truncationNote } = page
  const note = truncationNote === null ? '' : `\n[${truncationNote}]`
  if (text.length <= WEB_SHOWN_MAX_CHARS) return { text: text + note, changes: [] }
  const stored = await storePage(url, page, files)
  const header =
    stored.path === null
      ? `[The page has ${text.length} characters and could not be stored as a file: ${stored.why} To see other parts, fetch it again with a different prompt.]`
      : `[The complete page, ${text.length} characters in ${countLines(text)} lines, is in ${fullPath(stored.path)}. Read a range of its lines with read_file, or search it with grep.${truncationNote === null ? '' : ` ${truncationNote}`}]`
  const parts = [header, outline(page), ...excerpts(page, prompt)]
  return { text: parts.filter((part) => part !== '').join('\n\n'), changes: stored.changes }
}

type StoredPage =
  | { readonly path: string; readonly changes: readonly FileChange[] }
  | { readonly path: null; readonly why: string; readonly changes: readonly [] }

async function storePage(url: string, { text, extension }: TextPage, files: FileAccess): Promise<StoredPage> {
  const bytes = utf8(text)
  const sha256 = await sha256Hex(bytes)
  // The name contains the digest: fetching the same text from the same address again uses the same file, and a
  // changed text gets a new one.
  const path = `workspace/web/${storedNameOf(url)}-${sha256.slice(0, 8)}.${extension}`
  if (files.get(path)?.sha256 === sha256) return { path, changes: [] }
  const written = await files.rewrite([{ path, content: bytes, expect: files.get(path)?.sha256 ?? null }])
  if (!written.ok) return { path: null, why: written.error, changes: [] }
  // `known: false`: the model has not read the file yet, and must read it before it may overwrite it.
  const changes = written.value.map(({ path: storedPath, body }) => ({
    path: storedPath,
    body,
    known: false as const,
  }))
  return { path, changes }
}

function storedNameOf(url: string): string {
  const { host, pathname } = new URL(url)
  const path = pathname.replace(/\.[a-z0-9]{1,8}$/i, '').replace(/[^a-zA-Z0-9]+/g, '-')
  return `${host.replace(/[^a-zA-Z0-9.-]+/g, '-').slice(0, 100)}/${path.replace(/^-|-$/g, '').slice(0, 60) || 'page'}`
}

function outline({ text, markdown }: TextPage): string {
  const headings = markdown ? headingsOf(text) : []
  if (headings.length < 2) return ''
  const lines = headings
    .slice(0, WEB_OUTLINE_MAX_LINES)
    .map(
      ({ level, title, line }) =>
        `${'  '.repeat(level - 1)}line ${line}: ${title.slice(0, WEB_HEADING_MAX_CHARS)}`,
    )
  const omittedCount = headings.length - lines.length
  return ['[Headings of the page:]', ...lines, ...(omittedCount > 0 ? [`[${omittedCount} more]`] : [])].join(
    '\n',
  )
}

function excerpts({ text, markdown }: TextPage, prompt: string | undefined): readonly string[] {
  const sections =
    prompt === undefined ? [] : matchingSections(sectionsOf(text, markdown), prompt, WEB_EXCERPT_MAX_CHARS)
  if (sections.length > 0)
    return [
      '[Sections that match the prompt best:]',
      ...sections.map((section) => `[line ${section.line}]\n${section.text.trim()}`),
    ]
  const noMatchNote = prompt === undefined ? '' : 'The page contains no term from the prompt. '
  const end = text.lastIndexOf('\n', WEB_BEGINNING_MAX_CHARS)
  return [
    `[${noMatchNote}Beginning of the page:]`,
    text.slice(0, end > 0 ? end : WEB_BEGINNING_MAX_CHARS).toWellFormed(),
  ]
}
