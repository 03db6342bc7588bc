/** One-time codes, with the code (contract §4). */
import { showOtp } from '../../presenters/control/otp.js';
import type { Account } from '../../account/account.js';
import type { Otp } from '../../domain/otp.js';
import { pageOtps } from '../../store/tables/filters.js';
import { found } from './find.js';
import type { ControlHandlers } from './handler.js';
import { pageQuery, recipient, shownPage } from './listing.js';

export const otps: ControlHandlers = {
  listOtps: ({ account, query }) =>
    shownPage(pageOtps(account.store.tables, { to: recipient(query) }, pageQuery(query)), showOtpOf(account)),

  getOtp: ({ account, params }) => {
    const id = params['otp_id'] ?? '';
    return showOtpOf(account)(found(account.store.tables.otps.get(id), 'one-time code', id));
  },
};

export function showOtpOf(account: Account) {
  return (otp: Otp) => showOtp(otp, account.store.tables.templates.get(otp.templateId), account.clock.now());
}
