/* Shows one of the two documents. "Authorize" sets the key; the control token comes with the address. */
(() => {
  const query = new URLSearchParams(location.search);
  const plane = query.get('plane') === 'control' ? 'control' : 'api';
  const token = query.get('control_token');
  if (token !== null) {
    for (const link of document.querySelectorAll('nav a')) link.href += `&control_token=${encodeURIComponent(token)}`;
  }
  document.getElementById(plane).setAttribute('aria-current', 'page');
  window.SwaggerUIBundle({
    url: plane === 'control' ? '/_sandbox/openapi.json' : '/_sandbox/openapi/api.json',
    dom_id: '#operations',
    deepLinking: true,
    tryItOutEnabled: true,
    persistAuthorization: true,
    // No request leaves the machine: the badge of the online validator is off.
    validatorUrl: null,
    requestInterceptor: (request) => {
      const { origin, pathname } = new URL(request.url, location.href);
      if (token !== null && origin === location.origin && pathname.startsWith('/_sandbox')) {
        request.headers['X-Sandbox-Token'] = token;
      }
      return request;
    },
  });
})();
