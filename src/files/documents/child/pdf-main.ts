// The entry point of the isolate that reads PDFs. It is separate because the bundle of the other readers is a tenth of its size and
// starts ten times faster.

import { readPdf } from './pdf/pdf.ts'
import { serve } from './common/serve.ts'

export default serve({ pdf: readPdf })
