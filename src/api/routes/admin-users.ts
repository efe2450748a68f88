// The routes for all data of one user.

import { queueArchive } from '../admission/queues.ts'
import { route, type KeyedRoute } from '../route/route.ts'

const exportUser = queueArchive(async (c, caller) =>
  (await import('./export-handlers.ts')).replyWithUserExport(c, caller),
)

const remove: KeyedRoute['handle'] = async (...request) =>
  (await import('./user-deletion-handlers.ts')).replyToDeletion(...request)
const deletion: KeyedRoute['handle'] = async (...request) =>
  (await import('./user-deletion-handlers.ts')).replyWithDeletion(...request)

export const adminUserRoutes: readonly KeyedRoute[] = [
  route('admin', 'GET', '/admin/export', exportUser, ['user', 'cursor']),
  route('admin', 'DELETE', '/admin/users/:user', remove),
  route('admin', 'GET', '/admin/users/:user/deletion', deletion),
]
