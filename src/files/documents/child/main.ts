// The entry point of the isolate that reads CSV and Office files.

import { readCsv } from './office/csv.ts'
import { readOffice } from './office/office.ts'
import { serve } from './common/serve.ts'

export default serve({ csv: readCsv, docx: readOffice, xlsx: readOffice })
