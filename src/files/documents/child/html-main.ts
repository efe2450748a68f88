// The entry point of the isolate that reads web pages.

import { readHtml } from './html/html.ts'
import { serve } from './common/serve.ts'

export default serve({ html: readHtml })
