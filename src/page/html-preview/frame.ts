// Runs in the document in which the panel shows an HTML file (preview.html). That document has an opaque origin and
// its own policy: no network, and no script except this one, which is allowed by its hash. Receives the file's text in
// one message, and shows it without anything that could load, navigate or submit.

import DOMPurify from 'dompurify'

/** These would navigate, load or submit. The policy cannot forbid all of that. */
const FORBIDDEN_TAGS = [
  'form',
  'base',
  'link',
  'meta',
  'script',
  'iframe',
  'frame',
  'object',
  'embed',
  'template',
]
const FORBIDDEN_ATTRIBUTES = [
  'action',
  'formaction',
  'ping',
  'srcset',
  'background',
  'poster',
  'autofocus',
  'target',
]

/** Attributes with an address. */
const ADDRESS = /(?:^|:)(?:href|src|data|cite|longdesc|usemap|codebase|manifest)$/

// Keeps only links within the file and embedded pictures. DOMPurify allows `data:` URLs only for pictures.
DOMPurify.addHook('uponSanitizeAttribute', (_, attribute) => {
  if (ADDRESS.test(attribute.attrName) && !/^(?:#|data:)/i.test(attribute.attrValue.trim()))
    attribute.keepAttr = false
})

function show(html: string): void {
  const page = DOMPurify.sanitize(html, {
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
  })
  const root = document.documentElement
  for (const { name, value } of page.attributes) root.setAttribute(name, value)
  for (const part of ['head', 'body'] as const) {
    const shown = page.querySelector(part)
    if (!shown) continue
    for (const { name, value } of shown.attributes) document[part].setAttribute(name, value)
    document[part].append(...shown.childNodes)
  }
}

addEventListener('message', function onMessage({ source, origin, data }: MessageEvent<unknown>): void {
  // The origin of this document is opaque, but its address is the server's.
  if (source !== parent || origin !== new URL(location.href).origin || typeof data !== 'string') return
  removeEventListener('message', onMessage)
  show(data)
})
