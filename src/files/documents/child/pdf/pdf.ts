// Converts a PDF to text, page by page, with pdf.js. Renders nothing and runs no scripts of the file.

import './globals.ts'
import { CMAPS } from 'pdf-cmaps'
import 'pdfjs-dist/build/pdf.worker.mjs'
import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/build/pdf.mjs'
import { DOCUMENT_PAGE_ITEMS_MAX, DOCUMENT_PAGE_NOTES_MAX, DOCUMENT_PAGES_MAX } from '../common/limits.ts'
import { Lines } from '../common/markdown.ts'
import { OutOfTime, DocumentRefused, type TimeBudget } from '../common/pace.ts'
import { countFor, nextPage, unpackedTooMuch } from './globals.ts'
import { pdfLines, type PdfTextItem } from './lines.ts'

import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { DocumentText } from '../../document.ts'

const TOO_MUCH = 'it unpacks to more bytes than the limit allows'

/** Provides the bundled character maps to pdf.js. */
class BundledCharacterMaps {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const packed = CMAPS[filename]
    if (packed === undefined) throw new Error(`${filename} is not in the bundle`)
    return Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))
  }
}

export async function readPdf(bytes: Uint8Array, pace: TimeBudget): Promise<DocumentText> {
  countFor(pace)
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    disableFontFace: true,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWorkerFetch: false,
    useWasm: false,
    BinaryDataFactory: BundledCharacterMaps,
    cMapPacked: true,
  })
  try {
    return await readPages(await openDocument(pace.within(task.promise)), pace)
  } finally {
    // This is not awaited, because a page that was stopped in the middle never settles.
    void task.destroy().catch(() => {})
  }
}

async function openDocument(document: Promise<PDFDocumentProxy>): Promise<PDFDocumentProxy> {
  try {
    return await document
  } catch (error) {
    if (error instanceof PasswordException)
      throw new DocumentRefused(
        'The PDF is protected by a password. Ask the user for one without, or for its text.',
      )
    if (unpackedTooMuch())
      throw new DocumentRefused(`The PDF cannot be read: ${TOO_MUCH}. Ask the user for its text.`)
    throw error
  }
}

async function readPages(document: PDFDocumentProxy, pace: TimeBudget): Promise<DocumentText> {
  const lines = new Lines()
  const { numPages } = document
  const empty: number[] = []
  const damaged: number[] = []
  let [lastPage, why] = [0, '']
  for (let number = 1; number <= Math.min(numPages, DOCUMENT_PAGES_MAX) && why === ''; number++) {
    try {
      const { text, isComplete } = await pace.within(readPage(document, number))
      lines.gap()
      lines.add(`## Page ${number}`)
      lines.gap()
      for (const line of text) lines.add(line)
      if (text.length === 0) empty.push(number)
      if (!isComplete) why = 'the text of this page is longer than the limit for one page'
      await pace.yieldNow()
    } catch (error) {
      if (error instanceof OutOfTime) why = 'it takes too long'
      else damaged.push(number)
    }
    if (unpackedTooMuch()) why = TOO_MUCH
    if (lines.full) why = 'its text is longer than the limit for one document'
    nextPage()
    if (why === '') lastPage = number
  }
  if (why === '' && numPages > lastPage) why = `only ${DOCUMENT_PAGES_MAX} pages are read`
  const outcome = { pages: numPages, lastPage, why, empty, damaged }
  if (empty.length + damaged.length === Math.max(lastPage, 1)) throw new DocumentRefused(whyNoText(outcome))
  return { text: lines.text(), parts: numPages, cut: whatIsMissing(outcome) }
}

interface Outcome {
  readonly pages: number
  readonly lastPage: number
  readonly why: string
  readonly empty: readonly number[]
  readonly damaged: readonly number[]
}

function whyNoText({ pages, damaged, why }: Outcome): string {
  if (why !== '') return `The PDF cannot be read: ${why}. Ask the user for its text.`
  if (damaged.length > 0)
    return 'The PDF is damaged: none of its pages can be read. Ask the user to send it again.'
  return `The PDF has ${pages} ${pages === 1 ? 'page' : 'pages'} without any text, so it is most likely a scan. Images cannot be read here. Ask the user for a version with text, or for the text itself.`
}

function whatIsMissing({ pages, lastPage, why, empty, damaged }: Outcome): string | null {
  const parts = [
    why === ''
      ? ''
      : `The text ends on page ${Math.min(lastPage + 1, pages)} of ${pages}: ${why}. Ask the user for the relevant pages.`,
    empty.length === 0 ? '' : `There is no text, perhaps only images, on ${pageList(empty)}.`,
    damaged.length === 0 ? '' : `Damaged and left out: ${pageList(damaged)}.`,
  ]
  return parts.filter((part) => part !== '').join(' ') || null
}

function pageList(pages: readonly number[]): string {
  const listedPages = pages.slice(0, 20).join(', ')
  return `${pages.length === 1 ? 'page' : 'pages'} ${listedPages}${pages.length > 20 ? ` and ${pages.length - 20} more` : ''}`
}

/** Reads the lines of a page. `isComplete` is false if the page has more text than the limit. */
async function readPage(
  document: PDFDocumentProxy,
  number: number,
): Promise<{ readonly text: readonly string[]; readonly isComplete: boolean }> {
  const page = await document.getPage(number)
  try {
    const pieces: PdfTextItem[] = []
    const reader = page.streamTextContent().getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      // Items that mark the structure have no text.
      for (const item of value.items) if ('str' in item) pieces.push(item)
      if (pieces.length < DOCUMENT_PAGE_ITEMS_MAX && !unpackedTooMuch()) continue
      await reader.cancel(new Error('more than the limit'))
      return { text: pdfLines(pieces), isComplete: false }
    }
    return { text: [...pdfLines(pieces), ...(await extras(page))], isComplete: true }
  } finally {
    page.cleanup()
  }
}

/** The text outside the content of the page: values of form fields, and notes by readers. */
async function extras(page: PDFPageProxy): Promise<readonly string[]> {
  const annotations: readonly Record<string, unknown>[] = await page.getAnnotations()
  return annotations.slice(0, DOCUMENT_PAGE_NOTES_MAX).flatMap((annotation) => {
    const { subtype, fieldName, fieldValue, contentsObj } = annotation
    if (subtype === 'Widget') {
      const value = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue
      // An unchecked box has the value Off.
      return typeof value === 'string' && value.trim() !== '' && value !== 'Off'
        ? [`- Form field ${oneLine(String(fieldName))}: ${oneLine(value)}`]
        : []
    }
    if (subtype === 'Popup' || subtype === 'Link') return []
    const note =
      typeof contentsObj === 'object' && contentsObj !== null && 'str' in contentsObj ? contentsObj.str : ''
    return typeof note === 'string' && note.trim() !== '' ? [`- Note on the page: ${oneLine(note)}`] : []
  })
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
