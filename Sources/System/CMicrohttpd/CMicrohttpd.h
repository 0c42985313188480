#pragma once
#include <microhttpd.h>

// Swift does not import functions whose arguments vary.

static inline struct MHD_Daemon *longhand_mhd_start(
    int socket, void *context, unsigned connections, unsigned timeout, size_t memory, size_t stack,
    MHD_AccessHandlerCallback handle, void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected) {
  return MHD_start_daemon(
      MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL | MHD_USE_ITC, 0, NULL,
      NULL, handle, context, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket, MHD_OPTION_CONNECTION_LIMIT,
      connections, MHD_OPTION_CONNECTION_TIMEOUT, timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_THREAD_STACK_SIZE, stack, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK,
      begin, context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION,
      connected, context, MHD_OPTION_END);
}

// Seconds without a byte after which a connection ends; 0 for none.
static inline void longhand_mhd_set_timeout(struct MHD_Connection *connection, unsigned seconds) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

static inline int longhand_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
