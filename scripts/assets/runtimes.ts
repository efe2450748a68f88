// Which runtimes there are: bundles that the Worker loads into isolates of their own, from its static files.

import { pdfBundle } from './pdf.ts'

import type { Runtime } from './bundle.ts'

export const RUNTIMES: Readonly<Record<string, Runtime>> = {
  documents: { entry: 'src/files/documents/child/main.ts', plugins: [] },
  pdf: { entry: 'src/files/documents/child/pdf-main.ts', plugins: [pdfBundle] },
}
