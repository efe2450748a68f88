// The binding PUBLIC_NET as a Miniflare option: workerd connects only to public addresses, whatever name or
// spelling is used. On Cloudflare Workers cannot reach others.

import { RESERVED } from '../../src/net/addresses.ts'

export const PUBLIC_ONLY = {
  network: { allow: ['public'], deny: [...RESERVED], tlsOptions: { trustBrowserCas: true } },
}
