// The isolate that reads PDFs. Separate, because the bundle of the other readers is a tenth of its size and starts as
// much sooner.

import { readPdf } from './pdf/pdf.ts'
import { serve } from './common/serve.ts'

export default serve({ pdf: readPdf })
