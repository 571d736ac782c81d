// Shows openapi.json with Swagger UI, which the script before this one defines. The page's Content-Security-Policy
// allows no inline script.
{
  /**
   * For `JSON.parse`: writes schemas as in OpenAPI 3.0, which has `nullable` and one `example`. Swagger UI resolves the
   * whole document again for each operation of a 3.1 document, which takes seconds.
   */
  const asOpenApi30 = (key, value) => {
    if (key === 'openapi') return '3.0.3'
    if (Array.isArray(value?.examples)) {
      const { examples, ...schema } = value
      return { ...schema, example: examples[0] }
    }
    const types = Array.isArray(value?.anyOf) ? value.anyOf : []
    const others = types.filter(({ type }) => type !== 'null')
    if (others.length === types.length) return value
    const { anyOf: _, ...schema } = value
    const nullable = others.length === 1 ? others[0] : { anyOf: others }
    return { ...schema, ...nullable, nullable: true }
  }
  const root = document.documentElement
  root.classList.toggle('dark-mode', root.dataset.theme === 'dark')
  const path = new URL(document.baseURI).pathname
  const show = (description) =>
    SwaggerUIBundle({
      domNode: document.getElementById('reference'),
      // Below a path of a proxy, requests need the path.
      spec: path === '/' ? description : { ...description, servers: [{ url: path.slice(0, -1) }] },
      deepLinking: true,
      docExpansion: 'none',
      defaultModelsExpandDepth: 0,
      // Otherwise a website is asked to check the description.
      validatorUrl: 'none',
    })
  const fail = () => {
    const note = Object.assign(document.createElement('p'), { role: 'alert' })
    note.textContent =
      'The description of the API could not be loaded. Reload the page to try again.'
    document.getElementById('reference').replaceChildren(note)
  }
  fetch('openapi.json')
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)))
    .then((text) => show(JSON.parse(text, asOpenApi30)))
    .catch(fail)
}
