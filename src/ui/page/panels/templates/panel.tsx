/** Template review: templates that wait for the platform owner, and all others. */
import type { Route } from '../../core/index.js';
import { EmptyState, Split } from '../../parts/index.js';
import { TemplateDetail } from './template-detail.js';
import { TemplateList } from './template-list.js';
import './templates.css';

/** `templates/ID`; `?q=` searches. */
export function Templates({ route }: { route: Route }) {
  const [id] = route.path;
  const search = route.query['q'] ?? '';
  return (
    <Split
      list={<TemplateList current={id} search={search} />}
      detail={id === undefined ? null : <TemplateDetail key={id} id={id} search={search} />}
      none={
        <EmptyState icon="template" title="No template is open">
          <p>Choose one on the left to see it on a phone. Approve or reject pending templates in the list.</p>
        </EmptyState>
      }
    />
  );
}
