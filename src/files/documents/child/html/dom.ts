// Types for the parts of linkedom's DOM that this folder uses, and functions that walk it. The Worker's own types have no DOM.

export interface DomNode {
  /** 1 for an element, 3 for a text node. */
  readonly nodeType: number
  readonly nodeName: string
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly textContent: string | null
}

export interface DomElement extends DomNode {
  readonly localName: string
  readonly parentNode: DomElement | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  appendChild(node: DomNode): void
}

export interface DomDocument {
  readonly documentElement: DomElement
  readonly head: DomElement
  readonly body: DomElement
  createElement(name: string): DomElement
  createTextNode(text: string): DomNode
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1
}

/** A copy of the list of children, so that the caller may move the children while iterating. */
export function childrenOf(node: DomNode): readonly DomNode[] {
  const children: DomNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

/** All descendants of `node` with one of these names, in document order. Not recursive, because trees may be deep. */
export function elementsOf(node: DomNode, names: ReadonlySet<string>): readonly DomElement[] {
  const elements: DomElement[] = []
  const pending = [...childrenOf(node)].toReversed()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!isElement(next)) continue
    if (names.has(next.localName)) elements.push(next)
    pending.push(...childrenOf(next).toReversed())
  }
  return elements
}
