// The wire format of the fake Cloudflare API: results, pages and errors in their envelope.

/** A result, with the fields next to it in lists; or a whole response, as objects of R2 are. */
export type Answer = { readonly result: unknown; readonly result_info?: object } | Response
/** A request's method and path, and the function that answers it. */
export type Route = readonly [
  RegExp,
  (match: readonly string[], request: Request) => Promise<Answer> | Answer,
]

/** An error response of the API. */
export class Refusal extends Error {
  readonly status: number
  readonly code: number
  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

export function enveloped(answer: Answer): Response {
  if (answer instanceof Response) return answer
  return Response.json({ success: true, errors: [], messages: [], ...answer })
}

export function refused({ status, code, message }: Refusal): Response {
  return Response.json(
    { success: false, errors: [{ code, message }], messages: [], result: null },
    { status },
  )
}

/** One page of a list. Cloudflare's client requests pages until one is empty. */
export function listed(all: readonly object[], request: Request): Answer {
  const query = new URL(request.url).searchParams
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get('per_page') ?? 20)
  const result = all.slice((page - 1) * size, page * size)
  const total = { total_count: all.length, total_pages: Math.ceil(all.length / size) }
  return { result, result_info: { page, per_page: size, count: result.length, ...total } }
}
