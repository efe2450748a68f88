// The plan of a thread: a list of items that the model keeps. Pure.

export const TODO_STATUSES = ['pending', 'in_progress', 'completed'] as const

export interface TodoItem {
  readonly text: string
  readonly status: (typeof TODO_STATUSES)[number]
}

export function hasOpenItems(items: readonly TodoItem[] | null): boolean {
  return items?.some(({ status }) => status !== 'completed') ?? false
}

/** The plan for the model, one item a line; null if there is none. */
export function planText(items: readonly TodoItem[] | null): string | null {
  if (items === null || items.length === 0) return null
  return items.map(({ text, status }) => `- ${status}: ${text}`).join('\n')
}

/** Whether the model can keep a plan with these tools. */
export function keepsPlan({ tools }: { readonly tools: readonly { readonly name: string }[] }): boolean {
  return tools.some(({ name }) => name === 'write_todos')
}
