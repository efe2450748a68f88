// The isolate that reads PDFs: apart from the others, whose parsers are a tenth of its size and start as much sooner.

import { readPdf } from './pdf/pdf.ts'
import { serve } from './common/serve.ts'

export default serve({ pdf: readPdf })
