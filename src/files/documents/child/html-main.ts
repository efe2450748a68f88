// The isolate that reads pages from the web.

import { readHtml } from './html/html.ts'
import { serve } from './common/serve.ts'

export default serve({ html: readHtml })
