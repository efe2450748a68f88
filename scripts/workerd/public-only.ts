// The binding PUBLIC_NET in Miniflare's words: workerd connects to public addresses only, whatever name or spelling led
// there. On Cloudflare no Worker reaches others.

import { RESERVED } from '../../src/net/addresses.ts'

export const PUBLIC_ONLY = {
  network: { allow: ['public'], deny: [...RESERVED], tlsOptions: { trustBrowserCas: true } },
}
