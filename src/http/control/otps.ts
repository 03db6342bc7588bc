/** One-time codes, in plain text. */
import { showOtp } from '../../presenters/control/records.js';
import type { Account } from '../../account/account.js';
import type { Otp } from '../../domain/otp.js';
import { otpList } from './filter-fields.js';
import { listRows } from './filters.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';

export const otps: ControlHandlers = {
  listOtps: (context) => listRows(otpList, context, showOtpOf(context.account)),

  getOtp: ({ account, name: id }) => {
    return showOtpOf(account)(found(account.store.tables.otps.get(id), 'one-time code', id));
  },
};

export function showOtpOf(account: Account) {
  return (otp: Otp) => showOtp(otp, account.store.tables.templates.get(otp.templateId), account.clock.now());
}
