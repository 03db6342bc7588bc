/** One-time codes, as the customer reads them on the phone. */
import { here, model, type Route, useRecord, wide } from '../../core/index.js';
import { EmptyState, Split } from '../../parts/index.js';
import { chosenCodes } from './code.js';
import { CodeDetail } from './code-detail.js';
import { CodeList } from './code-list.js';
import './codes.css';

/** `codes/ID`; `?q=` is part of a number. On a wide screen, the latest code is open by default. */
export function Codes({ route }: { readonly route: Route }) {
  const { otps, api } = model.value;
  const [id] = route.path;
  const search = route.query['q'] ?? '';
  const rows = chosenCodes(otps.rows, search);
  const named = useRecord(otps, id, (each) => api.get('/_sandbox/otps/{otp_id}', { path: { otp_id: each } }));
  const otp = id !== undefined ? named : wide.value ? rows[0] : undefined;
  const detail = otp ? (
    <CodeDetail otp={otp} search={search} />
  ) : id === undefined ? null : named === undefined ? (
    <p class="starting faint">Loading …</p>
  ) : (
    <EmptyState icon="key" title="This code does not exist">
      <p>The account has none with the id {id}. It may have been reset.</p>
      <a href={here('codes')}>All codes</a>
    </EmptyState>
  );
  return <Split list={<CodeList rows={rows} current={otp?.otp_id} named={id} search={search} />} detail={detail} />;
}
