// The runtimes, which are bundles that the Worker loads from its static files into separate isolates.

import { countedLibraries } from './html.ts'
import { pdfBundle } from './pdf.ts'

import type { RuntimeSource } from './bundle.ts'

export const RUNTIME_SOURCES: Readonly<Record<string, RuntimeSource>> = {
  documents: { entry: 'src/files/documents/child/main.ts', plugins: [] },
  html: { entry: 'src/files/documents/child/html-main.ts', plugins: [countedLibraries] },
  pdf: { entry: 'src/files/documents/child/pdf-main.ts', plugins: [pdfBundle] },
}
