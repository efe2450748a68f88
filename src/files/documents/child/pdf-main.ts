// The isolate that reads PDFs: apart from the others, whose parsers are a tenth of its size and start as much sooner.

import { readPdf } from './pdf.ts'
import { serve } from './serve.ts'

export default serve({ pdf: readPdf })
