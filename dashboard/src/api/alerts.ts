import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import { type Edit, useEdit } from './edit.ts';
import type {
  AddAlertChannelBody,
  AddAlertRouteBody,
  AlertChannelJson,
  AlertRouteJson,
  AlertSilenceJson,
  AlertTestJson,
  ChangeAlertChannelBody,
  ListAlertChannelsAnswer,
  ListAlertMessagesAnswer,
  ListAlertsAnswer,
  SilenceAlertsBody,
} from './generated/alerts.ts';
import { apiPath, get, type Query, send } from './request.ts';
import { useChange } from './use-change.ts';

const alertsKey = ['alerts'];
const channelsKey = ['alert-channels'];
const alertsChange = { shown: alertsKey, afterRefusal: true };
/** A test changes a channel too: when it was sent to last, and what it answered. */
const channelsChange = { shown: channelsKey, others: [alertsKey], afterRefusal: true };

/** What the service found once a minute; read again as often. */
const readEveryMs = 60_000;

export function useAlerts(query: Query): UseQueryResult<ListAlertsAnswer> {
  return useQuery({
    queryKey: [...alertsKey, query],
    queryFn: ({ signal }) => get<ListAlertsAnswer>('/api/alerts', query, signal),
    refetchInterval: readEveryMs,
  });
}

export function useAlertChannels(): UseQueryResult<ListAlertChannelsAnswer> {
  return useQuery({
    queryKey: channelsKey,
    queryFn: ({ signal }) => get<ListAlertChannelsAnswer>('/api/alert-channels', {}, signal),
  });
}

export function useAlertMessages(query: Query): UseQueryResult<ListAlertMessagesAnswer> {
  return useQuery({
    queryKey: [...alertsKey, 'messages', query],
    queryFn: ({ signal }) => get<ListAlertMessagesAnswer>('/api/alert-messages', query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: readEveryMs,
  });
}

export function useSilence(): UseMutationResult<AlertSilenceJson, Error, SilenceAlertsBody> {
  return useChange((body) => send('POST', '/api/alert-silences', body), alertsChange);
}

export function useEndSilence(): UseMutationResult<void, Error, string> {
  return useChange((id) => send<void>('DELETE', apiPath('alert-silences', id)), alertsChange);
}

export function useAddChannel(): UseMutationResult<AlertChannelJson, Error, AddAlertChannelBody> {
  return useChange((body) => send('POST', '/api/alert-channels', body), channelsChange);
}

export function useChangeChannel(): UseMutationResult<
  AlertChannelJson,
  Error,
  { readonly id: string; readonly change: ChangeAlertChannelBody }
> {
  return useChange(
    ({ id, change }) => send('PATCH', apiPath('alert-channels', id), change),
    channelsChange,
  );
}

export function useEditChannel(
  channelId: string,
): UseMutationResult<AlertChannelJson, Error, Edit> {
  const read = async () => {
    const { channels } = await get<ListAlertChannelsAnswer>('/api/alert-channels');
    return channels.find(({ id }) => id === channelId);
  };
  return useEdit(apiPath('alert-channels', channelId), read, channelsChange);
}

export function useRemoveChannel(): UseMutationResult<void, Error, string> {
  return useChange((id) => send<void>('DELETE', apiPath('alert-channels', id)), channelsChange);
}

export function useTestChannel(): UseMutationResult<AlertTestJson, Error, string> {
  return useChange((id) => send('POST', apiPath('alert-channels', id, 'test')), channelsChange);
}

export function useAddRoute(): UseMutationResult<
  AlertRouteJson,
  Error,
  { readonly channelId: string; readonly route: AddAlertRouteBody }
> {
  return useChange(
    ({ channelId, route }) => send('POST', apiPath('alert-channels', channelId, 'routes'), route),
    channelsChange,
  );
}

export function useRemoveRoute(): UseMutationResult<void, Error, string> {
  return useChange((id) => send<void>('DELETE', apiPath('alert-routes', id)), channelsChange);
}
