// Splits work that would be one long task, in which keys would wait.

/** Resolves in a task of its own. The browser handles keys before it. */
export async function yieldToKeys(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
