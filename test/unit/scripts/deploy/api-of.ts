// The deployment's client of Cloudflare's API, for the fake one.

import { cloudflareApi, type Cloudflare } from '../../../../scripts/lib/cloudflare.ts'
import { TOKEN, type CloudflareApi } from '../../../fakes/cloudflare-api.ts'

export function apiOf(fake: CloudflareApi, token = TOKEN): Cloudflare {
  const environment = { CLOUDFLARE_API_BASE_URL: `${fake.url}/client/v4` }
  return cloudflareApi({ Authorization: `Bearer ${token}` }, { fetch, environment, wait: async () => {} })
}
