// The binding PUBLIC_NET as a Miniflare option. Through it, workerd connects only to public addresses, whatever a name
// resolves to. On Cloudflare, Workers cannot reach other addresses anyway.

import { RESERVED_NETWORKS } from '../../src/net/addresses.ts'

export const PUBLIC_ONLY = {
  network: { allow: ['public'], deny: [...RESERVED_NETWORKS], tlsOptions: { trustBrowserCas: true } },
}
