// The isolate that reads tables and Office files.

import { readCsv } from './csv.ts'
import { readOffice } from './office.ts'
import { serve } from './serve.ts'

export default serve({ csv: readCsv, docx: readOffice, xlsx: readOffice })
