// Which URLs of a gateway may carry a token, and that none stands in them.

/** The token travels in the URL, so it must not travel in the clear. */
export const isSafeGateway = (text: string): boolean => {
  const url = URL.parse(text);
  return (
    url?.protocol === 'wss:' ||
    url?.protocol === 'https:' ||
    /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '')
  );
};

/** A token in it would be shown, logged and kept with it. */
export const isBareUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && !url.searchParams.has('token') && `${url.username}${url.password}${url.hash}` === '';
};
