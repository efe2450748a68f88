// The isolate that reads pages from the web.

import { readHtml } from './html/html.ts'
import { serve } from './serve.ts'

export default serve({ html: readHtml })
